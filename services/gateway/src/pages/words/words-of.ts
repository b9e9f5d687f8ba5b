import { type Request } from 'express';
import { de } from './de.js';
import { en, type Words } from './en.js';

const LANGUAGES: Record<string, Words> = { en, de };

/** Returns the texts in the first supported language that the browser requests, or in English. */
export function wordsOf(request: Request): Words {
  return LANGUAGES[request.acceptsLanguages(Object.keys(LANGUAGES)) || 'en'] ?? en;
}
