import { createHash } from 'node:crypto';
import { cutBytes, makeVisible, nestsDeeper } from '@drawbridge/contracts';
import {
  type Action,
  hideInUrls,
  hideSensitive,
  isSecretOf,
  isSensitiveKey,
  type JsonObject,
  type JsonValue,
} from '@drawbridge/piece-kit';
import { type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Redactor } from '../redaction/redactor.js';
import { PreviewHider, toDistinctNames } from './preview-hider.js';

const MAX_FIELDS = 100;
const MAX_NAME_BYTES = 100;
/** Maximum size of all values of a preview together, in bytes of JSON. */
const MAX_VALUE_BYTES = 32 * 1024;
/**
 * Maximum nesting of a value. The preview is sent as a protobuf Struct, which is parsed recursively with a limit of 32 levels. The preview itself is
 * the first level.
 */
const MAX_LEVELS = 31;

interface Field {
  key: string;
  name: string;
  isNameCut: boolean;
  value: JsonValue;
}

/** A redacted value: complete (`shown`), or the text of a long value, only the beginning of which is displayed (`text`). */
type Hidden = { bytes: number; isHiddenByName?: boolean } & (
  { shown: JsonValue } | { shown?: undefined; text: string }
);

/**
 * Returns an input as approvers see it: its first 100 fields, without secrets, and with deceptive characters written as code points. Each long value
 * is shortened separately, so that no field can hide another field. `truncatedFields` lists the fields that are not complete: shortened values, and
 * values that are partly hidden because of a name that the caller chose. `omittedFields` is the number of all further fields.
 */
export function toPreview(input: JsonObject, action: Pick<Action, 'props'>, redact: Redactor): Preview {
  const all = declaredFirst(input, action);
  const hider = new PreviewHider(redact);
  const fields = nameAll(all.slice(0, MAX_FIELDS), hider);
  const hidden = hideAll(fields, { hider, redact, isSecret: isSecretOf(action) });
  const level = levelOf(
    hidden.map(({ bytes }) => bytes),
    MAX_VALUE_BYTES,
  );
  const isCut = (one: Hidden): boolean => one.shown === undefined || one.bytes > level;
  return {
    input: Object.fromEntries(
      fields.map(({ name }, at) => [name, isCut(hidden[at]!) ? beginning(hidden[at]!, level) : hidden[at]!.shown]),
    ),
    redactedPaths: hider.paths,
    truncatedFields: fields
      .filter(({ isNameCut }, at) => isNameCut || isCut(hidden[at]!) || hidden[at]!.isHiddenByName)
      .map(({ name }) => name),
    omittedFields: all.length - fields.length,
  };
}

/**
 * Sorts the declared properties of the action before other keys. The caller controls the order of the keys and could otherwise move a declared field
 * beyond the limit.
 */
function declaredFirst(input: JsonObject, { props }: Pick<Action, 'props'>): [string, JsonValue][] {
  const declared = Object.keys(props).filter((key) => Object.hasOwn(input, key));
  const others = Object.keys(input).filter((key) => !Object.hasOwn(props, key));
  return [...declared, ...others].map((key) => [key, input[key]!]);
}

function nameAll(entries: [string, JsonValue][], hider: PreviewHider): Field[] {
  const names = entries.map(([key]) => hider.nameOf(key));
  const cut = names.map((name) => cutBytes(name, MAX_NAME_BYTES));
  const distinct = toDistinctNames(cut);
  return entries.map(([key, value], at) => ({ key, value, name: distinct[at]!, isNameCut: cut[at] !== names[at] }));
}

interface Means {
  hider: PreviewHider;
  redact: Redactor;
  isSecret(key: string): boolean;
}

function hideAll(fields: Field[], { hider, redact, isSecret }: Means): Hidden[] {
  const texts = fields.map(({ value }) => JSON.stringify(value));
  const sizes = texts.map((json) => Buffer.byteLength(json));
  const level = levelOf(sizes, MAX_VALUE_BYTES);
  return fields.map(({ key, name, value }, at) => {
    if (isSecret(key) || isSensitiveKey(key)) return whole(hider.hidden(name));
    const isLong = sizes[at]! > level || nestsDeeper(texts[at]!, MAX_LEVELS);
    const shown = hider.hideWithin(value, name, isLong ? level : Infinity);
    if (!isLong) return { ...whole(shown), isHiddenByName: hider.isHiddenByName };
    const text = textOf(value, redact);
    return { text, bytes: Buffer.byteLength(text) };
  });
}

function whole(shown: JsonValue): Hidden {
  return { shown, bytes: Buffer.byteLength(JSON.stringify(shown)) };
}

/**
 * Returns the text of a redacted value. A string stays a string and not JSON, so that its hash equals the hash of the same file or message. Other
 * values become JSON.
 */
function textOf(value: JsonValue, redact: Redactor): string {
  const json = hideInUrls(redact.json(JSON.stringify(hideSensitive(value, () => false))));
  return typeof value === 'string' ? (JSON.parse(json) as string) : json;
}

/**
 * Returns the object that replaces a shortened value. The length and the hash are computed after redaction, because the hash of a short secret would
 * reveal it.
 */
function beginning(hidden: Hidden, level: number): JsonObject {
  const text = hidden.shown === undefined ? hidden.text : plain(hidden.shown);
  return {
    truncated: true,
    preview: withinJson(makeVisible(cutBytes(text, level)), level),
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  };
}

const plain = (shown: JsonValue): string => (typeof shown === 'string' ? shown : JSON.stringify(shown));

/** Shortens a string to `max` bytes of its JSON form, which can be longer because of escapes. */
function withinJson(text: string, max: number): string {
  let cut = cutBytes(text, max);
  for (let size = sizeOf(cut); size > max; size = sizeOf(cut)) {
    cut = cutBytes(cut, Math.floor((Buffer.byteLength(cut) * max) / size) - 1);
  }
  return cut;
}

const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Returns the length to which longer values are shortened, so that all values together have at most `max`. Shorter values stay complete. */
export function levelOf(sizes: readonly number[], max: number): number {
  const ascending = [...sizes].sort((one, other) => one - other);
  let left = max;
  for (const [at, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - at));
    if (size > level) return level;
    left -= size;
  }
  return max;
}
