//! Positions for the names of points, where they cover neither each other nor a point.

/// A rectangle in pixels: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect(pub i32, pub i32, pub i32, pub i32);

impl Rect {
    pub(crate) fn around((x, y): (i32, i32), radius: i32) -> Self {
        Self(x - radius, y - radius, x + radius, y + radius)
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0 < other.2 && other.0 < self.2 && self.1 < other.3 && other.1 < self.3
    }

    fn within(&self, room: &Self) -> bool {
        self.0 >= room.0 && self.1 >= room.1 && self.2 <= room.2 && self.3 <= room.3
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        (f64::from(self.0)..=f64::from(self.2)).contains(&x)
            && (f64::from(self.1)..=f64::from(self.3)).contains(&y)
    }
}

/// Height of a label in pixels.
pub(crate) const TALL: i32 = 12;
/// The number of pieces into which a line is divided to test whether it crosses a label.
const PIECES: u32 = 40;

/// The areas and lines that labels avoid.
pub(crate) struct Places {
    room: Rect,
    taken: Vec<Rect>,
    lines: Vec<[(i32, i32); 2]>,
}

impl Places {
    pub(crate) fn new(room: Rect) -> Self {
        Self { room, taken: Vec::new(), lines: Vec::new() }
    }

    /// Reserves a rectangle.
    pub(crate) fn take(&mut self, rect: Rect) {
        self.taken.push(rect);
    }

    /// Adds a line that labels avoid if another position is free.
    pub(crate) fn cross(&mut self, line: impl Iterator<Item = (i32, i32)>) {
        let points: Vec<_> = line.collect();
        self.lines.extend(points.windows(2).map(|ends| [ends[0], ends[1]]));
    }

    /// Whether a rectangle is inside the plot and overlaps no reserved one.
    pub(crate) fn free(&self, rect: &Rect) -> bool {
        rect.within(&self.room) && !self.taken.iter().any(|taken| taken.meets(rect))
    }

    fn crossed(&self, rect: &Rect) -> usize {
        let crosses = |[a, b]: &&[(i32, i32); 2]| {
            (0..=PIECES).any(|k| {
                let t = f64::from(k) / f64::from(PIECES);
                let at = |from: i32, to: i32| f64::from(from) + t * f64::from(to - from);
                rect.holds((at(a.0, b.0), at(a.1, b.1)))
            })
        };
        self.lines.iter().filter(crosses).count()
    }

    /// Reserves a position for a text of this width beside a point, and returns its upper left corner; `None` if there is
    /// no room.
    pub(crate) fn beside(&mut self, (x, y): (i32, i32), wide: i32) -> Option<(i32, i32)> {
        let middle = TALL / 2;
        let around = |far: i32| {
            [
                (x + far, y - middle),
                (x + far - 2, y - TALL - far + 5),
                (x + far - 2, y + far - 5),
                (x - wide - far, y - middle),
                (x - wide - far + 2, y - TALL - far + 5),
                (x - wide - far + 2, y + far - 5),
                (x - wide / 2, y - TALL - far),
                (x - wide / 2, y + far),
            ]
        };
        let corners = [7, 12].into_iter().flat_map(around);
        let rect = |(x, y): (i32, i32)| Rect(x, y, x + wide, y + TALL);
        let free = corners.filter(|corner| self.free(&rect(*corner)));
        let best = free.min_by_key(|corner| self.crossed(&rect(*corner)))?;
        self.take(rect(best));
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cover_neither_each_other_nor_points() {
        let mut places = Places::new(Rect(0, 0, 300, 200));
        let points: Vec<(i32, i32)> = (0..40).map(|k| (20 + 37 * k % 260, 15 + 53 * k % 170)).collect();
        points.iter().for_each(|p| places.take(Rect::around(*p, 4)));
        let mut labels: Vec<Rect> = Vec::new();
        for point in &points {
            let Some((x, y)) = places.beside(*point, 50) else { continue };
            let label = Rect(x, y, x + 50, y + TALL);
            assert!(x >= 0 && y >= 0 && x + 50 <= 300 && y + TALL <= 200, "{label:?}");
            assert!(labels.iter().all(|other| !other.meets(&label)), "{label:?}");
            assert!(points.iter().all(|p| !Rect::around(*p, 4).meets(&label)), "{label:?}");
            labels.push(label);
        }
        assert!((5..40).contains(&labels.len()), "{}", labels.len());
    }

    #[test]
    fn a_line_is_left_free_where_there_is_room() {
        let mut places = Places::new(Rect(0, 0, 300, 200));
        places.cross([(100, 100), (290, 100)].into_iter());
        let (x, y) = places.beside((100, 100), 60).unwrap();
        assert!(y > 100 || y + TALL < 100 || x + 60 < 100, "{x} {y}");
    }
}
