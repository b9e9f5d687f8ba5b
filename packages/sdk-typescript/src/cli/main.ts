#!/usr/bin/env node
import { runProgram } from './program.js';

const code = await runProgram(process.argv.slice(2));
// A failed write has set its own.
process.exitCode ||= code;
