//! The Pareto front of a set of designs.

/// The Pareto front of the points, both numbers being minimised: indices in the order of the first number. Of equal
/// points only the first is returned; points with a NaN are left out.
///
/// ```
/// let area_and_time = [(3.0, 1.0), (1.0, 3.0), (2.0, 4.0)];
/// assert_eq!(pairwright_sim::pareto::front(&area_and_time), [1, 0]);
/// ```
pub fn front(points: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).filter(|&i| !points[i].0.is_nan()).collect();
    order.sort_by(|&a, &b| points[a].0.total_cmp(&points[b].0).then(points[a].1.total_cmp(&points[b].1)));
    let mut least = f64::INFINITY;
    order.retain(|&i| {
        let better = points[i].1 < least;
        least = least.min(points[i].1);
        better
    });
    order
}

#[cfg(test)]
mod tests {
    use super::front;

    #[test]
    fn the_front_is_what_nothing_beats() {
        let points = [(3.0, 1.0), (1.0, 3.0), (2.0, 2.0), (2.0, 2.5), (3.0, 3.0), (2.0, 2.0)];
        assert_eq!(front(&points), [1, 2, 0]);
        let beats = |a: (f64, f64), b: (f64, f64)| a.0 <= b.0 && a.1 <= b.1 && a != b;
        for (i, &point) in points.iter().enumerate() {
            let beaten = points.iter().any(|&other| beats(other, point));
            let twin = points[..i].contains(&point);
            assert_eq!(front(&points).contains(&i), !beaten && !twin, "{point:?}");
        }
    }

    #[test]
    fn what_is_no_number_is_on_no_front() {
        assert_eq!(front(&[(f64::NAN, 0.0), (1.0, f64::NAN), (2.0, 1.0)]), [2]);
        assert!(front(&[]).is_empty());
    }
}
