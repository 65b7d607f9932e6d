import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Subject } from './support.ts';

export function blobConformance(subject: () => Subject): void {
  it('keeps bytes under their hash', async () => {
    const { blobs } = subject().store;
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
    const hash = await blobs.put(bytes);
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await blobs.put(bytes)).toBe(hash);
    expect(Buffer.compare(Buffer.from((await blobs.get(hash)) ?? []), Buffer.from(bytes))).toBe(0);
  });

  it('keeps its own copy of the bytes', async () => {
    const { blobs } = subject().store;
    const bytes = Uint8Array.of(1, 2, 3);
    const hash = await blobs.put(bytes);
    bytes.fill(9);
    expect([...((await blobs.get(hash)) ?? [])]).toEqual([1, 2, 3]);
  });

  it('has no bytes under a hash that nobody put, nor under what is no hash', async () => {
    const { blobs } = subject().store;
    expect(await blobs.get('0'.repeat(64))).toBeUndefined();
    expect(await blobs.get('../journal.jsonl')).toBeUndefined();
  });

  it('takes the same bytes from many at once', async () => {
    const { blobs } = subject().store;
    const hashes = await Promise.all(Array.from({ length: 20 }, () => blobs.put(Buffer.from('the same'))));
    expect(new Set(hashes).size).toBe(1);
    expect(Buffer.from((await blobs.get(hashes[0] ?? '')) ?? []).toString()).toBe('the same');
  });
}
