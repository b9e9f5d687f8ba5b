import { number } from '@drawbridge/piece-kit';

interface Limits {
  /** The number of items that the action returns if the input is absent. The property only states it, so the action must apply it. */
  defaultsTo: number;
  maximum: number;
}

/** Returns the property for the maximum number of items in an output. */
export const itemLimit = ({ defaultsTo, maximum }: Limits) =>
  number('Limit', { description: `Defaults to ${defaultsTo}.`, integer: true, minimum: 1, maximum });
