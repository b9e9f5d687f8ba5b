import { type Grant } from '@drawbridge/contracts';
import { type OwnedResources } from './owned-resources.js';
import { type Call } from './operations.js';

/** What the tests that try every operation must know of one. It stands in the e2e file of its resource. */
export interface OperationCases {
  /** A call that succeeds, made anew each time: it may delete what it names. */
  call(own: OwnedResources): Call | Promise<Call>;
  /** Where an id can stand, beside the workspace's, which the proto names, and whose goes there; null: there is none yet to name. */
  ids?: Record<string, Owned | null>;
  /** What even a good call is answered where the product lacks something: `400 EMAIL_NOT_CONFIGURED`. */
  refusal?: string;
  /** Beside its grant: it hands out what can do this. */
  alsoNeeds?: Grant;
  /** It gives a person a role: only a key that may do as much can. */
  givesRole?: true;
}

export type Owned = Extract<keyof OwnedResources, `${string}Id`>;

/** By the operation's id in the document. */
export type Operations = Record<string, OperationCases>;

const REGISTER = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it'] as const;
type Register = Pick<typeof globalThis, (typeof REGISTER)[number]>;

/** Jest's own, for the file under test; where another file imports its `OPERATIONS`, what registers nothing. */
export function testsOf({ filename }: ImportMeta): Register {
  if (expect.getState().testPath === filename) return globalThis;
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.fromEntries(REGISTER.map((name) => [name, nothing])) as unknown as Register;
}
