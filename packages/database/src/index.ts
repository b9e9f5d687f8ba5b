export { type Database, openDatabase } from './open.js';
export { tenancy } from './tenancy.js';
export { masked, toWire, type Wire } from './wire.js';
