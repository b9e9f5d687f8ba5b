// `npm start`: prepares this clone, then runs the product in the same process, so that signals to npm reach the product.
import { prepare } from './prepare.mjs';

await prepare();
const { main } = await import('../packages/cli/dist/index.js');
await main(['start', ...process.argv.slice(2)]);
