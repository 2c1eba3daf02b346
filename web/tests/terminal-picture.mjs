// Makes docs/pictures/terminal.png: `npm run pictures`, after a build. The program plays in a real terminal (tmux), and
// what the terminal shows is drawn.
import { execFileSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BINARY, PATIENCE, openBrowser } from './help.mjs';

const OUT = fileURLToPath(new URL('../../docs/pictures/terminal.png', import.meta.url));
const MOST = 150_000;
/** Black's stones; one that is refused is left out. */
const BLACK = ['h8', 'i9', 'g8', 'f7'];

const socket = `lianzi-picture-${process.pid}`;
const tmux = (...words) =>
  execFileSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...words], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', LIANZI_LANG: 'en_US.UTF-8', NO_COLOR: '' },
  });

async function until(shown) {
  for (const start = Date.now(); Date.now() - start < 2 * PATIENCE;) {
    const screen = tmux('capture-pane', '-p', '-e', '-N');
    if (shown(screen.replace(/\x1b\[[\d;]*m/g, ''))) return screen;
    await new Promise(done => setTimeout(done, 100));
  }
  throw new Error(`the terminal shows something else:\n${tmux('capture-pane', '-p')}`);
}

/** A colour of the palette of 256. */
function colour(n) {
  const base = [
    '#1c1c1c',
    '#cc4444',
    '#44aa55',
    '#c8a030',
    '#4477cc',
    '#aa55aa',
    '#44aaaa',
    '#d0d0d0',
    '#777777',
    '#ee6666',
    '#66cc77',
    '#e8c050',
    '#6699ee',
    '#cc77cc',
    '#66cccc',
    '#ffffff',
  ];
  if (n < 16) return base[n];
  if (n > 231) return `rgb(${Array(3).fill(8 + 10 * (n - 232))})`;
  const level = part => (part ? 55 + 40 * part : 0);
  return `rgb(${[Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(level)})`;
}

/** What the terminal shows, as HTML. */
function html(screen) {
  let look = {};
  const take = codes => {
    for (let n = 0; n < codes.length; n++) {
      const code = codes[n];
      if (code === 0) look = {};
      else if (code === 1) look = { ...look, bold: true };
      else if (code === 4) look = { ...look, line: true };
      else if (code === 7) look = { ...look, turned: true };
      else if (code === 38 || code === 48) {
        look = { ...look, [code === 38 ? 'ink' : 'ground']: colour(codes[n + 2]) };
        n += 2;
      } else if (code >= 30 && code < 38) look = { ...look, ink: colour(code - 30) };
      else if (code >= 90 && code < 98) look = { ...look, ink: colour(code - 82) };
      else if (code === 39) look = { ...look, ink: undefined };
      else if (code === 49) look = { ...look, ground: undefined };
    }
  };
  const escape = text => text.replace(/[&<>]/g, c => `&#${c.charCodeAt(0)};`);
  const style = () => {
    let [ink, ground] = [look.ink ?? '#d8d8d8', look.ground ?? '#1c1c1c'];
    if (look.turned) [ink, ground] = [ground, ink];
    const [weight, line] = [look.bold ? 'font-weight:bold;' : '', look.line ? 'text-decoration:underline;' : ''];
    return `color:${ink};background:${ground};${weight}${line}`;
  };
  return screen
    .split(/\x1b\[([\d;]*)m/)
    .map((part, n) => {
      if (n % 2) {
        take((part || '0').split(';').map(Number));
        return '';
      }
      return part ? `<span style="${style()}">${escape(part)}</span>` : '';
    })
    .join('');
}

try {
  tmux('new-session', '-d', '-x', '80', '-y', '24', `'${BINARY}' play gomoku --white strong@level=6,name=strong`);
  for (const cell of BLACK) {
    await until(screen => /Black to move|wins/.test(screen));
    tmux('send-keys', '-l', cell);
    tmux('send-keys', 'Enter');
    await until(screen => new RegExp(`is thinking|wins|already|[1-9] ${cell} `).test(screen));
  }
  await until(screen => /Black to move|wins/.test(screen));
  tmux('send-keys', 'T', 'A');
  const screen = await until(screen => /[1-9]\d\dk nodes|M nodes/.test(screen) && screen.includes('threatens'));
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 800, height: 480 } });
  await page.setContent(
    `<body style="margin:0;background:#1c1c1c">
      <pre style="display:inline-block;margin:0;padding:8px;font:15px/1.2 'DejaVu Sans Mono',monospace">` +
      `${html(screen.trimEnd())}</pre>`,
  );
  await page.locator('pre').screenshot({ path: OUT });
  await browser.close();
} finally {
  tmux('kill-server');
}
const { size } = await stat(OUT);
if (size > MOST) throw new Error(`the picture has ${size} bytes`);
console.log('terminal', size);
