// The program that the tests drive.
import { fileURLToPath } from 'node:url';

export const BINARY = process.env.LIANZI ?? fileURLToPath(new URL('../../target/debug/lianzi', import.meta.url));
