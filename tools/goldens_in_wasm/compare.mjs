// Runs the module and compares what it found with the goldens: node compare.mjs MODULE.wasm INSTRUCTION_SET
import { readFileSync } from "node:fs";

const [path, lanes] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
const { memory, table_start, table_length } = instance.exports;
const [start, length] = [table_start(), table_length()];
const [found_lanes, ...rows] = new TextDecoder().decode(new Uint8Array(memory.buffer, start, length)).trim().split("\n");

let wrong = 0;
for (const row of rows) {
  const [backend, name, input, expected_input, output, expected_output] = row.split("\t");
  if (input !== expected_input) {
    wrong += 1;
    console.error(`${backend}, ${name}: ${input} goes in where it has to be ${expected_input}`);
  }
  if (output !== expected_output) {
    wrong += 1;
    console.error(`${backend}, ${name}: ${output} comes out where it has to be ${expected_output}`);
  }
}
if (found_lanes !== lanes) {
  wrong += 1;
  console.error(`lanes are ${found_lanes} where they have to be ${lanes}`);
}
// A table that is empty agrees with everything.
if (rows.length < 20) {
  wrong += 1;
  console.error(`only ${rows.length} rows`);
}
console.log(`${rows.length} rows, lanes ${found_lanes}, ${wrong} wrong`);
process.exit(wrong === 0 ? 0 : 1);
