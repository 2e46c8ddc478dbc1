import { hash } from '@hash';
import { expect, test } from 'vitest';

test('empty', () => expect(hash('')).toBe(7));
test('two letters', () => expect(hash('ab')).toBe(832));
