export { newestFirst } from './lists.js';
export { type ClientOptions, type Database, openDatabase } from './open.js';
export { totalOf } from './totals.js';
export { masked, toWire, type Wire } from './wire.js';
