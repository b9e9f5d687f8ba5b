import { InputError, type JsonObject } from '@drawbridge/piece-kit';
import { DateTime, IANAZone, Settings } from 'luxon';

/** For each spelling of a zone or a language the library keeps 30 kB and more, for ever: so many calls later it begins anew. */
const CALLS_KEPT = 100;
let calls = 0;

/** Where a moment is looked at from, and in which language. */
interface View {
  timezone?: string;
  locale?: string;
}

/** A moment that stands in a property. Throws InputError: a pattern lets the 30th of February pass. */
export function readMoment(property: string, text: string, view: View): DateTime {
  return requireValid(property, DateTime.fromISO(text, toOptions(view)));
}

/** Throws InputError for what is no moment, or none that a calendar reaches. */
export function requireValid(property: string, moment: DateTime): DateTime {
  // Of years beyond four digits our own DATE_TIME properties could read nothing.
  if (moment.isValid && moment.year >= 0 && moment.year <= 9999) return moment;
  throw new InputError(property, 'is no moment of the years 0 to 9999');
}

/** Throws InputError for a zone or a language that nobody knows. */
export function toOptions({ timezone = 'UTC', locale = 'en-US' }: View): { zone: string; locale: string } {
  if (++calls % CALLS_KEPT === 0) Settings.resetCaches();
  if (timezone !== 'UTC' && !IANAZone.isValidZone(timezone)) {
    throw new InputError('timezone', 'is no IANA time zone, such as Europe/Berlin');
  }
  return { zone: timezone, locale: requireLocale(locale) };
}

function requireLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch {
    throw new InputError('locale', 'is no BCP 47 tag, such as de-DE');
  }
}

/** As every action shows one. */
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
