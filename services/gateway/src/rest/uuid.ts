/**
 * @format uuid
 * @pattern ^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$
 */
export type Uuid = string;
