import { cutText, MAX_PATH_CHARACTERS } from '@drawbridge/contracts';
import { hideInUrls, isSensitiveKey, type JsonObject, type JsonValue, REDACTED } from '@drawbridge/piece-kit';
import { type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';
import { LIMIT, toLogged } from './run-log.js';

const MAX_PATHS = 100;

/**
 * An input as those see it who decide whether it is sent: as the run log would keep it, and where something is hidden. Of a long one only the
 * beginning is looked at.
 */
export function toPreview(input: JsonObject, isSecret: (key: string) => boolean, redact: Redactor): Preview {
  const hider = new Hider(redact);
  const shown = hider.hideIn(input, '', isSecret);
  return { input: JSON.parse(toLogged(JSON.stringify(shown), hider.isCut)), redactedPaths: hider.paths };
}

class Hider {
  readonly paths: string[] = [];
  isCut = false;
  /** Characters, of which twice as many as are shown are enough. */
  private left = 2 * LIMIT;

  constructor(private readonly redact: Redactor) {}

  hideIn(object: JsonObject, path: string, isSecret: (key: string) => boolean): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const [key, value] of Object.entries(object)) {
      if (this.isOver()) break;
      const place = path === '' ? key : `${path}.${key}`;
      const named = this.shown(key, place);
      const isHidden = isSecret(key) || isSensitiveKey(key);
      entries.push([named, isHidden ? this.hidden(place) : this.hide(value, place)]);
    }
    return Object.fromEntries(entries);
  }

  private hide(value: JsonValue, path: string): JsonValue {
    if (typeof value === 'string') return this.shown(value, path);
    if (typeof value === 'number') return this.redact.text(String(value)) === String(value) ? value : this.hidden(path);
    if (Array.isArray(value)) return this.hideInList(value, path);
    return typeof value === 'object' && value !== null ? this.hideIn(value, path, () => false) : value;
  }

  private hideInList(list: readonly JsonValue[], path: string): JsonValue[] {
    const shown: JsonValue[] = [];
    for (const [index, value] of list.entries()) {
      this.left -= 1;
      if (this.isOver()) break;
      shown.push(this.hide(value, `${path}[${index}]`));
    }
    return shown;
  }

  private shown(text: string, path: string): string {
    const { shown, isCut } = redactBeginning(text, 2 * LIMIT, this.redact.text);
    const hidden = hideInUrls(shown);
    this.isCut ||= isCut;
    this.left -= hidden.length + 1;
    if (hidden !== (isCut ? text.slice(0, hidden.length) : text)) this.note(path);
    return hidden;
  }

  private isOver(): boolean {
    this.isCut ||= this.left <= 0;
    return this.left <= 0;
  }

  private hidden(path: string): string {
    this.note(path);
    return REDACTED;
  }

  /** Also a path may be one, and hold what it names. */
  private note(path: string): void {
    if (this.paths.length < MAX_PATHS)
      this.paths.push(cutText(hideInUrls(this.redact.text(path)), MAX_PATH_CHARACTERS));
  }
}
