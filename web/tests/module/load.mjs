// The module as the page loads it, in Node; and the same answers from the program.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Module } from '../../js/local/module.js';
import { BINARY } from '../binary.mjs';

const FILE = fileURLToPath(new URL('../../lianzi.wasm', import.meta.url));

/** Why the tests of the module cannot run, if they cannot. */
export const missing = existsSync(FILE) ? false : 'web/lianzi.wasm is not there: run web/build.sh';

export async function load(tell = () => {}) {
  return new Module(await WebAssembly.compile(await readFile(FILE)), tell);
}

/** The program answers the same requests, one a line. */
export function native() {
  const child = spawn(BINARY, ['dev', 'module'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (name, more) => {
      child.stdin.write(`${JSON.stringify({ do: name, ...more })}\n`);
      const answer = JSON.parse((await lines.next()).value);
      if (answer?.refused) throw new Error(answer.refused.en);
      return answer;
    },
    stop: () => child.stdin.end(),
  };
}
