// The module as the page loads it, in Node; and the same answers from the program.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BESIDE } from '../../js/local/code.js';
import { Module } from '../../js/local/module.js';
import { BINARY } from '../binary.mjs';

/** The module that is alone, and the one whose workers share memory. */
export const MODULES = ['lianzi.wasm', 'lianzi-threads.wasm'];
const file = name => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** Why the tests of a module cannot run, if they cannot. */
export const without = name => (existsSync(file(name)) ? false : `web/${name} is not there: run web/build.sh`);
export const missing = without(MODULES[0]);

export async function load(tell = () => {}, name = MODULES[0]) {
  const [bytes, ...beside] = await Promise.all([name, ...BESIDE].map(name => readFile(file(name))));
  const module = new Module(await WebAssembly.compile(bytes), tell);
  for (const file of beside) module.handIn(file);
  return module;
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
