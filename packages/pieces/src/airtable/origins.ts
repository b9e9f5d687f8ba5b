/** Uploads have their own origin: https://airtable.com/developers/web/api/upload-attachment */
export const CONTENT_ORIGIN = 'https://content.airtable.com';
