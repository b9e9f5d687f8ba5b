import { command } from '../support/command.js';

/** The program and its options for the cluster of this run. */
export const KUBECTL: string[] = JSON.parse(process.env['KUBECTL']!);

/** Runs kubectl. Returns its output; throws an error with the output if it fails. */
export const kubectl = (...args: string[]): Promise<string> => command([...KUBECTL, ...args]);
