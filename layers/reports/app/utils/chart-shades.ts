/**
 * Colours for kinds that are neither good nor bad: no red, no green. Dark and light take turns, so that one differs 3 :
 * 1 from the next as each does from the paper; more than two cannot all do so from each other.
 */
export const CHART_SHADES = {
  light: ['#1f3f73', '#b48632', '#563069', '#5596bd', '#39444a'],
  dark: ['#b9d3f2', '#8a6a2f', '#dcc6ea', '#3f7397', '#d5dbdb']
}
