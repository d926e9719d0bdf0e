/**
 * Colours for categories that are neither good nor bad, so without red and green. Dark and light alternate, so that
 * neighbours differ by 3:1, as each does from the background. More than two colours can't all differ from each other by
 * that.
 */
export const CHART_SHADES = {
  light: ['#1f3f73', '#b48632', '#563069', '#5596bd', '#39444a'],
  dark: ['#b9d3f2', '#8a6a2f', '#dcc6ea', '#3f7397', '#d5dbdb']
}
