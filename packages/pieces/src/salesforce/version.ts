/** The path of the REST API in its version of spring 2026. A version is supported for at least three years. */
export const DATA = '/services/data/v66.0';
