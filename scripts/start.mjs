// Runs `npm start`: prepares this clone, then runs the product in the same process, so that signals to npm reach the product.
import { join } from 'node:path';
import { prepare } from './prepare.mjs';

await prepare();
if (Number.parseInt(process.versions.node) < 24)
  console.error(`Node.js 24 serves more calls on the same machine than ${process.version}. Consider an upgrade.`);
const { main } = await import('../packages/cli/dist/index.js');
await main(['start', ...process.argv.slice(2)], join(import.meta.dirname, '../packages/cli/dist/main.js'));
