//! Drawings of many shapes.

use leptos::html::Canvas;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, CssStyleDeclaration, Path2d};

pub(crate) type CanvasRef = NodeRef<Canvas>;

/// The canvas: shapes and words in the colors of the style sheet.
#[derive(Debug)]
pub(crate) struct Pen {
    context: CanvasRenderingContext2d,
    style: CssStyleDeclaration,
}

/// A clean sheet of that size in pixels of the page.
pub(crate) fn pen(sheet: CanvasRef, width: f64, height: f64) -> Option<Pen> {
    let canvas = sheet.get_untracked()?;
    let dense = window().device_pixel_ratio().max(1.0);
    let (wide, high) = ((width * dense).round() as u32, (height * dense).round() as u32);
    if (canvas.width(), canvas.height()) != (wide, high) {
        canvas.set_width(wide);
        canvas.set_height(high);
    }
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.unchecked_into();
    let style = window().get_computed_style(&canvas).ok()??;
    context.set_transform(dense, 0.0, 0.0, dense, 0.0, 0.0).ok()?;
    context.clear_rect(0.0, 0.0, width, height);
    let font = style.get_property_value("font-size").unwrap_or_default();
    let family = style.get_property_value("font-family").unwrap_or_default();
    context.set_font(&format!("{font} {family}"));
    context.set_text_baseline("middle");
    Some(Pen { context, style })
}

impl Pen {
    fn color(&self, name: &str) -> String {
        self.style.get_property_value(name).unwrap_or_default().trim().to_owned()
    }

    /// Draws path data in the color of that custom property: filled, or with a line of that width.
    pub(crate) fn shape(&self, color: &str, path: &str, line: Option<f64>, alpha: f64) {
        let Ok(path) = Path2d::new_with_path_string(path) else { return };
        let color = self.color(color);
        self.context.set_global_alpha(alpha);
        match line {
            Some(width) => {
                self.context.set_stroke_style_str(&color);
                self.context.set_line_width(width);
                self.context.stroke_with_path(&path);
            }
            None => {
                self.context.set_fill_style_str(&color);
                self.context.fill_with_path_2d(&path);
            }
        }
        self.context.set_global_alpha(1.0);
    }

    /// Writes words that begin at a point, or have their middle there.
    pub(crate) fn draw_text(&self, color: &str, text: &str, x: f64, y: f64, is_centered: bool) {
        self.context.set_fill_style_str(&self.color(color));
        self.context.set_text_align(if is_centered { "center" } else { "left" });
        drop(self.context.fill_text(text, x, y));
    }
}

/// Calls back when the system goes over to dark or light colors, as long as the page lives.
pub(crate) fn on_scheme(mut changed: impl FnMut() + 'static) {
    super::page::follow_media("(prefers-color-scheme: dark)", move |_| changed());
}
