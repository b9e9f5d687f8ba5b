import { type Grant } from '@drawbridge/contracts';
import { type OwnedResources } from './owned-resources.js';
import { type Call } from './operations.js';

/** Data about one operation, for the tests that cover every operation. The e2e file of its resource exports it. */
export interface OperationCases {
  /** Returns a call that succeeds. Each invocation returns a new call, because the call may delete its resource. */
  call(own: OwnedResources): Call | Promise<Call>;
  /**
   * The positions of ids, except the position of the workspace, which the proto specifies. The value is the resource with the id for this position,
   * or null to exclude the position from the tests that send ids of other organizations, because the operation has separate tests for such ids.
   */
  ids?: Record<string, Owned | null>;
  /** The error of a valid call if the product lacks a setting: `400 EMAIL_NOT_CONFIGURED`. */
  refusal?: string;
  /** A permission that the operation needs in addition to its grant, because its result gives this permission to others. */
  alsoNeeds?: Grant;
  /** True if the operation assigns a role. Only a key with all permissions of the role can call it. */
  givesRole?: true;
}

export type Owned = Extract<keyof OwnedResources, `${string}Id`>;

/** Cases by the operation's id in the OpenAPI document. */
export type Operations = Record<string, OperationCases>;

const REGISTER = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'it'] as const;
type Register = Pick<typeof globalThis, (typeof REGISTER)[number]>;

/** Returns jest's functions in the file under test, and functions that do nothing in a file that only imports its `OPERATIONS`. */
export function testsOf({ filename }: ImportMeta): Register {
  if (expect.getState().testPath === filename) return globalThis;
  const nothing = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.fromEntries(REGISTER.map((name) => [name, nothing])) as unknown as Register;
}
