import type { JsonObject, JsonValue } from './json.js';

/** What is kept under a key. */
export interface StateEntry {
  key: string;
  /** Absent where a list leaves it out. */
  value?: JsonValue;
  /** What lists show of it. */
  note: JsonObject;
  /** ISO 8601, as the next one. */
  createdAt: string;
  expiresAt: string | null;
}

export interface NewStateEntry {
  value: JsonValue;
  note?: JsonObject;
  /** By whose words a list finds it. */
  text?: string;
  /** Absent: it stays until it is deleted. `keep`: until then that the one before it had. */
  expires?: { inSeconds: number } | 'keep';
}

export interface StateQuery {
  /** Of keys. */
  prefix?: string;
  /** Whoever has all words of it. */
  words?: string;
  /** By key, or by when they were added. */
  order: 'key' | 'oldest' | 'newest';
  /** The `next` of the page before. */
  after?: string;
  limit: number;
  /** With their values. */
  values: boolean;
}

export interface StatePage {
  entries: StateEntry[];
  /** Undefined at the end. */
  next?: string;
}

/**
 * What an integration keeps for an end user, a workspace or a name that its owner chose. Which of these it is, it does not know, and
 * nothing else can be reached. Throws StateError where a quota is reached.
 */
export interface State {
  get(key: string): Promise<StateEntry | undefined>;
  /** Keeps what `change` makes of what is there; nobody else changes it meanwhile. What `change` throws leaves it as it is. */
  update: UpdateState;
  /** All of several updates, or none of them where one fails. `work` waits for nothing but them. */
  together<T>(work: (update: UpdateState) => Promise<T>): Promise<T>;
  /** Under a key that nobody had. */
  add(entry: NewStateEntry): Promise<StateEntry>;
  list(query: StateQuery): Promise<StatePage>;
  /** False: there is none. */
  delete(key: string): Promise<boolean>;
  /** Answers how many there were. */
  clear(): Promise<number>;
}

export type UpdateState = (key: string, change: (old: StateEntry | undefined) => NewStateEntry) => Promise<StateEntry>;

/** State can't be had, or not so much of it. The message is for the caller. */
export class StateError extends Error {
  override readonly name = 'StateError';

  constructor(
    readonly code:
      'QUOTA_EXCEEDED' | 'TOO_BUSY' | 'UNAVAILABLE' | 'OUTCOME_UNKNOWN' | 'WORKSPACE_DELETED' | 'END_USER_DELETED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
