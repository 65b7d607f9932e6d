/** So many of them, evenly, beginning anywhere: other ones at each run. */
export function sample<T>(points: readonly T[], size: number): T[] {
  const stride = Math.max(1, points.length / size);
  const first = Math.random() * stride;
  return points.filter(
    (_, at) => Math.floor((at + first) / stride) !== Math.floor((at - 1 + first) / stride),
  );
}
