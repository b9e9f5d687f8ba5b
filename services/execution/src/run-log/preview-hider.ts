import { cutText, makeNameVisible, makeVisible, MAX_PATH_CHARACTERS } from '@drawbridge/contracts';
import { hideInUrls, isSensitiveKey, type JsonObject, type JsonValue, REDACTED } from '@drawbridge/piece-kit';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';

const MAX_PATHS = 100;

/** Replaces secrets in the values of a preview by a mark, and records the paths of these values. */
export class PreviewHider {
  /** Paths of hidden values, at most 100. */
  readonly paths: string[] = [];
  /**
   * True if a part of the last value was hidden because of the name of a key or of a URL parameter. The caller chooses such names, and could use one
   * to hide a value from approvers.
   */
  isHiddenByName = false;
  private left = 0;

  constructor(private readonly redact: Redactor) {}

  /** Returns a value without secrets. Reads and returns only the beginning of a value that has more than `max` characters. */
  hideWithin(value: JsonValue, path: string, max: number): JsonValue {
    this.left = max;
    this.isHiddenByName = false;
    return this.hide(value, path);
  }

  /** Returns a key without secrets. */
  nameOf(key: string): string {
    this.left = Infinity;
    return makeNameVisible(this.withoutSecrets(key, key));
  }

  hidden(path: string): string {
    this.note(path);
    return REDACTED;
  }

  private hide(value: JsonValue, path: string): JsonValue {
    if (typeof value === 'string') return makeVisible(this.withoutSecrets(value, path));
    if (typeof value === 'number') return this.hideNumber(value, path);
    if (Array.isArray(value)) return this.hideInList(value, path);
    return typeof value === 'object' && value !== null ? this.hideInObject(value, path) : value;
  }

  private hideNumber(value: number, path: string): JsonValue {
    return this.redact.text(String(value)) === String(value) ? value : this.hidden(path);
  }

  private hideInObject(object: JsonObject, path: string): JsonObject {
    const names: string[] = [];
    const values: JsonValue[] = [];
    for (const key of Object.keys(object)) {
      if (this.left <= 0) break;
      const place = `${path}.${key}`;
      names.push(makeNameVisible(this.withoutSecrets(key, place)));
      values.push(isSensitiveKey(key) ? this.hideNamed(object[key]!, place) : this.hide(object[key]!, place));
    }
    return Object.fromEntries(toDistinctNames(names).map((name, at) => [name, values[at]!]));
  }

  /**
   * Hides the strings and numbers under a sensitive key. An object under a sensitive key stays visible, and each of its keys is checked separately.
   */
  private hideNamed(value: JsonValue, path: string): JsonValue {
    if (Array.isArray(value)) return value.map((item, index) => this.hideNamed(item, `${path}[${index}]`));
    if (typeof value === 'object' && value !== null) return this.hideInObject(value, path);
    this.isHiddenByName = true;
    return this.hidden(path);
  }

  private hideInList(list: readonly JsonValue[], path: string): JsonValue[] {
    const shown: JsonValue[] = [];
    for (const [index, value] of list.entries()) {
      this.left -= 1;
      if (this.left <= 0) break;
      shown.push(this.hide(value, `${path}[${index}]`));
    }
    return shown;
  }

  private withoutSecrets(text: string, path: string): string {
    const { shown, isCut } = redactBeginning(text, Math.max(0, this.left), this.redact.text);
    const hidden = hideInUrls(shown);
    if (hidden !== shown) this.isHiddenByName = true;
    this.left -= hidden.length + 1;
    if (hidden !== (isCut ? text.slice(0, hidden.length) : text)) this.note(path);
    return hidden;
  }

  /** Records the path of a hidden value. Redacts the path too, because keys can contain secrets. */
  private note(path: string): void {
    if (this.paths.length >= MAX_PATHS) return;
    const { shown } = redactBeginning(path, MAX_PATH_CHARACTERS, this.redact.text);
    this.paths.push(cutText(makeNameVisible(hideInUrls(shown)), MAX_PATH_CHARACTERS));
  }
}

/** Numbers equal names (`a`, `a (2)`), so that no field of a preview replaces another field. */
export function toDistinctNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    if (!used.has(name)) {
      used.add(name);
      return name;
    }
    let count = counts.get(name) ?? 1;
    let numbered: string;
    do numbered = `${name} (${++count})`;
    while (taken.has(numbered));
    counts.set(name, count);
    taken.add(numbered);
    return numbered;
  });
}
