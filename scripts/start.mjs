// `npm start`: makes this clone ready, then runs the product in this very process, so that a signal to npm reaches it.
import { prepare } from './prepare.mjs';

await prepare();
const { main } = await import('../packages/cli/dist/index.js');
await main(['start', ...process.argv.slice(2)]);
