import { PNG } from 'pngjs'

const [WIDTH, HEIGHT, PEN] = [360, 120, 2]

/** A drawn signature, as the page sends it: a wave along a line, and a stroke below it. */
export function scribble(): string {
  const png = new PNG({ width: WIDTH, height: HEIGHT }) // transparent
  for (let step = 0; step <= 1; step += 0.0008) {
    dot(
      png,
      30 + step * 250 + 14 * Math.sin(step * 34),
      58 - 34 * Math.sin(step * 21) * (1 - step * 0.7) - 8 * Math.sin(step * 55)
    )
    dot(png, 24 + step * 300, 100 - 14 * step + 5 * Math.sin(step * 6))
  }
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`
}

function dot(png: PNG, x: number, y: number): void {
  for (let dy = -PEN; dy <= PEN; dy++) {
    for (let dx = -PEN; dx <= PEN; dx++) {
      const [px, py] = [Math.round(x + dx), Math.round(y + dy)]
      const isInk = dx * dx + dy * dy <= PEN * PEN && px >= 0 && px < WIDTH && py >= 0 && py < HEIGHT
      if (isInk) png.data.set([23, 37, 84, 255], (py * WIDTH + px) * 4)
    }
  }
}
