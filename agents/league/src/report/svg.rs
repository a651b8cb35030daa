//! Pictures of the page, as SVG that takes its colours from the page's style sheet.

use super::{
    run::CurvePoint,
    text::{clean, pct, whole},
};
use agon_ratings::Interval;
use minijinja::HtmlEscape;
use std::fmt::Write;

/// Width and height of an interval bar, in its own units.
const BAR: (f64, f64) = (160.0, 18.0);
/// Width and height of the rating curve.
const CURVE: (f64, f64) = (760.0, 320.0);
/// Left, right, top and bottom margins of the curve.
const MARGIN: (f64, f64, f64, f64) = (52.0, 120.0, 14.0, 40.0);
/// Least distance of two labels.
const LABEL: f64 = 15.0;

/// A linear axis from values to places.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, from, to }
    }

    /// The axis of interval bars that covers all `intervals`.
    pub(crate) fn over(intervals: impl Iterator<Item = Interval> + Clone) -> Self {
        let low = intervals.clone().map(|i| i.low).fold(f64::INFINITY, f64::min);
        let high = intervals.map(|i| i.high).fold(f64::NEG_INFINITY, f64::max);
        if low.is_finite() { Self::new(low, high, 6.0, BAR.0 - 6.0) } else { Self::shares() }
    }

    /// The axis of interval bars of shares, 0 to 1.
    pub(crate) fn shares() -> Self {
        Self::new(0.0, 1.0, 6.0, BAR.0 - 6.0)
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// About five round values within the axis.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        (first..).map(|i| i as f64 * step).take_while(|t| *t <= self.high).collect()
    }
}

/// An interval as a bar with its estimate as a dot and, where there is one, par as a line across.
pub(crate) fn bar(title: &str, interval: &Interval, axis: Axis, par: Option<f64>) -> String {
    let (width, height) = BAR;
    let (low, dot, high) = (axis.at(interval.low), axis.at(interval.estimate), axis.at(interval.high));
    let middle = height / 2.0;
    let mut out = open("bar", width, height, title);
    if let Some(par) = par {
        let x = axis.at(par);
        put(
            &mut out,
            format_args!("<line class=\"par\" x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{height}\"/>"),
        );
    }
    let reach = (high - low).max(1.0);
    put(
        &mut out,
        format_args!(
            "<rect class=\"reach\" x=\"{low:.1}\" y=\"{:.1}\" width=\"{reach:.1}\" height=\"6\" rx=\"3\"/>\
             <circle class=\"dot\" cx=\"{dot:.1}\" cy=\"{middle}\" r=\"4\"/></svg>",
            middle - 3.0
        ),
    );
    out
}

/// The ratings of the champions by generation, with their intervals and the anchors as dashed lines; `None`
/// when nobody is rated.
pub(crate) fn curve(points: &[CurvePoint], anchors: &[(String, Interval)]) -> Option<String> {
    let rated: Vec<(&CurvePoint, Interval)> = points.iter().filter_map(|p| Some((p, p.elo?))).collect();
    let (first, last) = (rated.first()?, rated.last()?);
    let levels = anchors.iter().map(|(_, e)| e.estimate);
    let low = rated.iter().map(|(_, e)| e.low).chain(levels.clone()).fold(f64::INFINITY, f64::min);
    let high = rated.iter().map(|(_, e)| e.high).chain(levels).fold(f64::NEG_INFINITY, f64::max);
    let pad = 0.05 * (high - low).max(20.0);
    let (width, height) = CURVE;
    let (left, right, top, bottom) = MARGIN;
    let x = Axis::new(
        f64::from(first.0.generation),
        f64::from(last.0.generation),
        left + 8.0,
        width - right - 8.0,
    );
    let y = Axis::new(low - pad, high + pad, height - bottom, top);

    let title = format!(
        "Elo of {} champions by generation, from {} to {}",
        rated.len(),
        whole(first.1.estimate),
        whole(last.1.estimate)
    );
    let mut out = open("curve", width, height, &title);
    grid(&mut out, x, y);
    anchor_lines(&mut out, anchors, y);
    band(&mut out, &rated, x, y);
    for (point, elo) in &rated {
        let (cx, cy) = (x.at(f64::from(point.generation)), y.at(elo.estimate));
        let title = format!("{}: {}", clean(&point.name), elo_words(elo));
        put(
            &mut out,
            format_args!(
                "<g><title>{}</title><line class=\"whisker\" x1=\"{cx:.1}\" y1=\"{:.1}\" x2=\"{cx:.1}\" \
                 y2=\"{:.1}\"/><circle class=\"dot\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"4\"/></g>",
                HtmlEscape(&title),
                y.at(elo.low),
                y.at(elo.high)
            ),
        );
    }
    out.push_str("</svg>");
    Some(out)
}

fn grid(out: &mut String, x: Axis, y: Axis) {
    let (width, height) = CURVE;
    let (left, right, _, bottom) = MARGIN;
    for tick in y.ticks() {
        let at = y.at(tick);
        put(
            out,
            format_args!(
                "<line class=\"grid\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                width - right,
                left - 6.0,
                at + 4.0,
                whole(tick)
            ),
        );
    }
    for tick in x.ticks().into_iter().filter(|t| t.fract() == 0.0) {
        put(
            out,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick:.0}</text>",
                x.at(tick),
                height - bottom + 18.0
            ),
        );
    }
    let middle = (left + width - right) / 2.0;
    put(
        out,
        format_args!(
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">generation</text>",
            height - 4.0
        ),
    );
    put(out, format_args!("<text x=\"4\" y=\"{:.1}\">Elo</text>", MARGIN.2 - 2.0));
}

fn anchor_lines(out: &mut String, anchors: &[(String, Interval)], y: Axis) {
    let (width, _) = CURVE;
    let (left, right, ..) = MARGIN;
    let mut sorted: Vec<&(String, Interval)> = anchors.iter().collect();
    sorted.sort_by(|a, b| b.1.estimate.total_cmp(&a.1.estimate));
    let mut label = f64::NEG_INFINITY;
    for (name, elo) in sorted {
        let at = y.at(elo.estimate);
        label = (label + LABEL).max(at + 4.0);
        let title = format!("{}: {}", clean(name), elo_words(elo));
        put(
            out,
            format_args!(
                "<g><title>{}</title><line class=\"anchor\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{:.1}\" \
                 y2=\"{at:.1}\"/><text x=\"{:.1}\" y=\"{label:.1}\">{}</text></g>",
                HtmlEscape(&title),
                width - right,
                width - right + 6.0,
                HtmlEscape(&super::text::short(name, 15))
            ),
        );
    }
}

fn band(out: &mut String, rated: &[(&CurvePoint, Interval)], x: Axis, y: Axis) {
    let places = |of: fn(&Interval) -> f64| {
        rated.iter().map(move |(p, e)| format!("{:.1},{:.1}", x.at(f64::from(p.generation)), y.at(of(e))))
    };
    let edge: Vec<String> = places(|e| e.low).chain(places(|e| e.high).rev()).collect();
    let line: Vec<String> = places(|e| e.estimate).collect();
    put(
        out,
        format_args!(
            "<polygon class=\"band\" points=\"{}\"/><polyline class=\"line\" points=\"{}\"/>",
            edge.join(" "),
            line.join(" ")
        ),
    );
}

/// `Elo 1650, 95 % interval 1600 to 1700`.
pub(crate) fn elo_words(elo: &Interval) -> String {
    format!("Elo {}, 95 % interval {} to {}", whole(elo.estimate), whole(elo.low), whole(elo.high))
}

/// `52.0 %, 95 % interval 47.2 to 56.8 %`.
pub(crate) fn share_words(share: &Interval) -> String {
    format!("{} %, 95 % interval {} to {} %", pct(share.estimate), pct(share.low), pct(share.high))
}

fn open(class: &str, width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\
         <title>{}</title>",
        HtmlEscape(title)
    )
}

fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    _ = out.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Axis::new(980.0, 1530.0, 0.0, 1.0).ticks(), [1000.0, 1200.0, 1400.0]);
        assert_eq!(Axis::new(0.0, 40.0, 0.0, 1.0).ticks(), [0.0, 10.0, 20.0, 30.0, 40.0]);
        assert!(!Axis::new(3.0, 3.0, 0.0, 1.0).ticks().is_empty());
    }
}
