import { type Request } from 'express';
import { de } from './de.js';
import { en, type Words } from './en.js';

const LANGUAGES: Record<string, Words> = { en, de };

/** In the language that the browser asks for first, of those that there are; else in English. */
export function wordsOf(request: Request): Words {
  return LANGUAGES[request.acceptsLanguages(Object.keys(LANGUAGES)) || 'en'] ?? en;
}
