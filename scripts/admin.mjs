// Runs `npm run -s admin -- <command>`. It writes one JSON document to standard output and nothing else.
import { prepare } from './prepare.mjs';

await prepare();
const { main } = await import('../packages/cli/dist/index.js');
await main(['admin', ...process.argv.slice(2)]);
