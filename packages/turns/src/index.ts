export { FairQueue } from './fair-queue.js';
export { type EndTurn, TooBusy, Turns, type TurnLimits } from './turns.js';
