#!/usr/bin/env node
import { runProgram } from './program.js';

const code = await runProgram(process.argv.slice(2));
// A failed write to stdout has already set an exit code, which must remain.
process.exitCode ||= code;
