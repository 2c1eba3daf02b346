// The front door: the README's first command, as printed, in a fresh clone. It must build, say where the board is, and
// a stone in a real browser must be answered. Run by test.sh with the clone's folder and the command.
import { spawn } from 'node:child_process';
import { strict as assert } from 'node:assert';
import { cell, folder, forget, openBrowser, until, visit } from './help.mjs';

const [clone, command] = process.argv.slice(2);
const READY = /http:\/\/127\.0\.0\.1:8710\/?/;
/** A first build on two busy cores takes its time. */
const BUILD_MAY_TAKE = 30 * 60_000;

const data = await folder();
const env = { ...process.env, XDG_DATA_HOME: data };
delete env.CARGO_TARGET_DIR;
const child = spawn('bash', ['-c', `exec ${command}`], {
  cwd: clone,
  env,
  stdio: ['ignore', 'pipe', 'pipe'],
});
const started = Date.now();
let browser;
try {
  const lines = await ready();
  console.log(`built and ready after ${Math.round((Date.now() - started) / 1000)} s`);
  assert.equal(lines.filter(line => READY.test(line)).length, 1, `one line names the address: ${lines.join('\n')}`);
  browser = await openBrowser();
  const { page, complaints } = await visit(browser, 'http://127.0.0.1:8710/');
  await cell(page, 'h8').click();
  await until(page, 2);
  assert.deepEqual(complaints, []);
  console.log('a stone was placed and answered');
} finally {
  await browser?.close();
  child.kill();
  await forget(data);
}

/** What the program itself printed, once it has said where the board is. */
function ready() {
  return new Promise((found, failed) => {
    let out = '';
    let log = '';
    const late = setTimeout(() => failed(new Error(`not ready in time:\n${log}`)), BUILD_MAY_TAKE);
    child.stderr.on('data', chunk => {
      log = (log + chunk).slice(-20_000);
    });
    child.stdout.on('data', chunk => {
      out += chunk;
      if (!READY.test(out) || !out.endsWith('\n')) return;
      clearTimeout(late);
      found(out.trim().split('\n'));
    });
    child.on('exit', code => failed(new Error(`'${command}' ended with ${code}:\n${log}${out}`)));
  });
}
