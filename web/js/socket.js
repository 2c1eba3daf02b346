// The line to one game. It comes back by itself, ever more patiently, and says when it is down.

/** @import { ClientMessage, ServerMessage } from './types.js' */

export class Line {
  /**
   * @param {string} id
   * @param {import('./prefs.js').Keys} keys
   * @param {{ message: (message: ServerMessage) => void, status: (up: boolean, reached: boolean) => void }} on
   */
  constructor(id, keys, on) {
    this.id = id;
    this.keys = keys;
    this.on = on;
    this.wait = 250;
    this.closed = false;
    this.opened = false;
    /** @type {ClientMessage[]} */
    this.queue = [];
    this.retry = 0;
    this.beat = setInterval(() => this.send({ type: 'ping' }, false), 25_000);
    this.open();
  }

  url() {
    const tokens = (this.keys.tokens ?? []).filter(Boolean);
    const given = new URLSearchParams();
    if (tokens.length) given.set('token', tokens.join(','));
    if (this.keys.owner) given.set('owner', this.keys.owner);
    const query = given.size ? `?${given}` : '';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return `${scheme}://${location.host}/ws/games/${encodeURIComponent(this.id)}${query}`;
  }

  open() {
    const socket = new WebSocket(this.url());
    this.socket = socket;
    let reached = false;
    socket.onopen = () => {
      this.wait = 250;
      this.opened = reached = true;
      this.on.status(true, true);
      for (const message of this.queue.splice(0)) socket.send(JSON.stringify(message));
    };
    socket.onmessage = event => {
      try {
        this.on.message(JSON.parse(event.data));
      } catch (error) {
        console.error(error);
      }
    };
    socket.onclose = () => {
      if (this.closed || socket !== this.socket) return;
      this.on.status(false, reached);
      clearTimeout(this.retry);
      this.retry = window.setTimeout(() => !this.closed && this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    };
  }

  get up() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Sends now, or once the line is up again if `keep`. @param {ClientMessage} message @param {boolean} [keep] */
  send(message, keep = true) {
    if (this.up) this.socket?.send(JSON.stringify(message));
    else if (keep && !this.opened) this.queue.push(message);
    return this.up || !this.opened;
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearInterval(this.beat);
    this.socket?.close();
  }
}
