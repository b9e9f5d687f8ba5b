import { action, expandPath, shortText, staticMultiSelect } from '@drawbridge/piece-kit';
import { LOOKUPS_ORIGIN } from '../origins.js';

const FIELDS = [
  ...(['caller_name', 'line_type_intelligence', 'line_status', 'call_forwarding', 'sim_swap'] as const),
  ...(['sms_pumping_risk', 'phone_number_quality_score'] as const),
];

/** Checks and formats a phone number: https://www.twilio.com/docs/lookup/v2-api */
export const lookupNumber = action({
  displayName: 'Look up number',
  description:
    'Checks and formats a phone number. Returns whether it is valid; further fields, such as the type of line, cost extra.',
  category: 'read',
  props: {
    number: shortText('Number', {
      required: true,
      description: 'With country code, or in the national format of a given country.',
      pattern: '^\\+?[0-9 ().-]{2,30}$',
    }),
    country: shortText('Country', {
      description: 'Country of a national number, such as DE. Defaults to US.',
      pattern: '^[A-Z]{2}$',
    }),
    fields: staticMultiSelect('Fields', FIELDS, { description: 'What else to find out: ["line_type_intelligence"].' }),
  },
  run: async ({ http, input: { number, country, fields } }) =>
    http.json({
      method: 'GET',
      path: LOOKUPS_ORIGIN + expandPath('/v2/PhoneNumbers/{number}', { number }),
      query: { Fields: fields?.join(','), CountryCode: country },
    }),
});
