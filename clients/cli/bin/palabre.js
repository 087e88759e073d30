#!/usr/bin/env node
import { main } from '../dist/palabre.js';

await main();
