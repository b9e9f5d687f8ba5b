export const LOOKUPS_ORIGIN = 'https://lookups.twilio.com';
export const VERIFY_ORIGIN = 'https://verify.twilio.com';
