#!/usr/bin/env node
// The program `drawbridge` of the npm package and of the image: the commands of packages/cli, with data in the user's home folder, because
// `npx` may run in a different current folder each time.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { main } from '../packages/cli/dist/index.js';

process.env.DATA_DIR ||= join(process.env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'drawbridge');
await main(process.argv.slice(2), import.meta.filename);
