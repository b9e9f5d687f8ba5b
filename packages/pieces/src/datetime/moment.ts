import { InputError, type JsonObject } from '@drawbridge/piece-kit';
import { DateTime, IANAZone, Settings } from 'luxon';

/** The library caches 30 kB or more for each time zone and language, and never frees them. Its caches are reset after this many calls. */
const CALLS_KEPT = 100;
let calls = 0;

/** The time zone and the language of a result. */
interface View {
  timezone?: string;
  locale?: string;
}

/** Parses a time from a property. Throws InputError if it is invalid, because the pattern of the schema accepts February 30. */
export function readMoment(property: string, text: string, view: View): DateTime {
  return requireValid(property, DateTime.fromISO(text, toOptions(view)));
}

/** Throws InputError for an invalid time, and for years outside of 0 to 9999. */
export function requireValid(property: string, moment: DateTime): DateTime {
  // DATE_TIME properties cannot contain years with more than four digits.
  if (moment.isValid && moment.year >= 0 && moment.year <= 9999) return moment;
  throw new InputError(property, 'is not a valid date of the years 0 to 9999');
}

/** Throws InputError for an unknown time zone or language. */
export function toOptions({ timezone = 'UTC', locale = 'en-US' }: View): { zone: string; locale: string } {
  if (++calls % CALLS_KEPT === 0) Settings.resetCaches();
  if (timezone !== 'UTC' && !IANAZone.isValidZone(timezone)) {
    throw new InputError('timezone', 'is not an IANA time zone, such as Europe/Berlin');
  }
  return { zone: timezone, locale: requireLocale(locale) };
}

function requireLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch {
    throw new InputError('locale', 'is not a BCP 47 language tag, such as de-DE');
  }
}

/** Returns the output format that all actions share. */
export function toOutput(moment: DateTime): JsonObject {
  const { year, month, day, weekday, hour, minute, second } = moment;
  return {
    iso: moment.toISO() ?? '',
    utc: moment.toUTC().toISO() ?? '',
    unix: Math.floor(moment.toSeconds()),
    timezone: moment.zoneName ?? 'UTC',
    ...{ year, month, day, weekday, hour, minute, second },
  };
}
