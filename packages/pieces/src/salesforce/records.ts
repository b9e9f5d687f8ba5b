import { expandPath, type JsonObject, type JsonValue, textAt } from '@drawbridge/piece-kit';
import { DATA } from './version.js';

/** Returns the path of an object, or of one of its records. */
export function pathOf(object: string, id?: string): string {
  return expandPath(`${DATA}/sobjects/{object}${id === undefined ? '' : '/{id}'}`, { object, id });
}

/** Returns a record without the metadata that Salesforce adds to it and to its relations. */
export function toRecord(record: JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(record ?? {})
      .filter(([name]) => name !== 'attributes')
      .map(([name, value]) => [name, isRelation(value) ? toRecord(value) : value]),
  );
}

function isRelation(value: JsonValue): boolean {
  return textAt(value, 'attributes', 'type') !== undefined;
}
