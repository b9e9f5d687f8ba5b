import { type Grant } from '@drawbridge/contracts';
import { type OwnedResources } from './owned-resources.js';
import { type Call } from './operations.js';

/** Data about one operation for the tests that cover every operation. It is exported by the e2e file of its resource. */
export interface OperationCases {
  /** Returns a call that succeeds. Each invocation returns a new one, because the call may delete its resource. */
  call(own: OwnedResources): Call | Promise<Call>;
  /**
   * The positions of ids, except the workspace's position, which the proto names. The value is the resource with the id that goes there; null if no such id
   * exists yet.
   */
  ids?: Record<string, Owned | null>;
  /** The response to a valid call if the product lacks a setting: `400 EMAIL_NOT_CONFIGURED`. */
  refusal?: string;
  /** A permission that the operation needs in addition to its grant, because its result allows the same. */
  alsoNeeds?: Grant;
  /** The operation assigns a role: only a key with the same permissions can call it. */
  givesRole?: true;
}

export type Owned = Extract<keyof OwnedResources, `${string}Id`>;

/** Cases by the operation's id in the document. */
export type Operations = Record<string, OperationCases>;

const REGISTER = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it'] as const;
type Register = Pick<typeof globalThis, (typeof REGISTER)[number]>;

/** Returns jest's functions in the file under test, and functions that register nothing where another file imports its `OPERATIONS`. */
export function testsOf({ filename }: ImportMeta): Register {
  if (expect.getState().testPath === filename) return globalThis;
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.fromEntries(REGISTER.map((name) => [name, nothing])) as unknown as Register;
}
