import assert from 'node:assert';
import { test } from 'node:test';
import { Thermometer } from '../src/thermometer.js';

test('keeps its value', () => {
  assert.equal(new Thermometer(5).celsius, 5);
});

test('shows Fahrenheit', () => {
  const thermometer = new Thermometer(100);
  assert.equal(String(thermometer), '212 °F');
});
