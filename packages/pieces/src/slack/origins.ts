/** Where files are sent. */
export const FILES_ORIGIN = 'https://files.slack.com';
