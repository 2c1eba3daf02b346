// A worker that helps another one to search, in its memory. Nobody can say anything to it; it is ended with the other.
import { help } from './module.js';

addEventListener('message', ({ data }) => help(data, () => postMessage('there')));
