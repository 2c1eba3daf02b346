// Places of the page, in the address after the #.

/** @typedef {{ place: string, id: string, more: string, query: URLSearchParams }} Route */

/** @returns {Route} */
export function route() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const [place = '', id = '', more = ''] = path.split('/').map(part => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { place, id, more, query: new URLSearchParams(query) };
}

/** @param {string} hash */
export function go(hash) {
  if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = hash;
}

/** Changes the address without moving. @param {string} hash */
export const mark = hash => history.replaceState(null, '', hash);

/** @param {() => void} act */
export const onRoute = act => addEventListener('hashchange', act);
