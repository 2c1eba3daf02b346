// Runs the tests that drive a browser. They wait for real servers and browsers beside all else that the machine does:
// a file in which a test failed is tried once more by itself, and it is said which. Where more than a few fail, it
// was not the machine.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const HERE = import.meta.dirname;
/** How many files may have failed because the machine was busy. */
const FEW = 2;

/** Runs the tests of these files, so many at once; answers the files in which one failed. */
async function failing(files, concurrency) {
  const failed = new Set();
  const stream = run({ files, concurrency });
  stream.on('test:fail', ({ file, name }) => failed.add(file ?? name));
  for await (const words of stream.compose(new spec())) process.stdout.write(words);
  return [...failed];
}

const files = readdirSync(HERE)
  .filter(name => name.endsWith('.test.mjs'))
  .map(name => join(HERE, name));
let failed = await failing(files, 2);
if (failed.length > 0 && failed.length <= FEW) {
  const names = failed.map(file => basename(file)).join(', ');
  console.log(`\nfailed, and tried once more: ${names}`);
  failed = await failing(failed, 1);
  if (failed.length === 0)
    console.log(`passed when tried once more: ${names}. Such a test does not wait for all it needs`);
}
process.exitCode = failed.length > 0 ? 1 : 0;
