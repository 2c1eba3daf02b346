// A worker that thinks about one thing at a time, for as long as it takes. Who wants it to stop ends it.
import { Module, Refusing } from './module.js';

/** How many MiB an engine's table takes: on a device with little memory little. */
const table = Math.min(128, 16 * (Reflect.get(navigator, 'deviceMemory') ?? 4));
/** @type {Module} */
let module;

addEventListener('message', ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    module = new Module(data, told => postMessage({ told }));
    return postMessage({ ready: true });
  }
  const { do: name, ...more } = data;
  try {
    postMessage({ answer: module.ask(name, { ...more, table }) });
  } catch (error) {
    if (error instanceof Refusing) postMessage({ refused: error.refusal });
    else postMessage({ failed: String(error) });
  }
});
