import { main } from './index.js';

await main(process.argv.slice(2), import.meta.filename);
